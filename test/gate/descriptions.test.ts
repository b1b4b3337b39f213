import { expect, test } from '@jest/globals';
import { findDescriptionFaults, findOpenings } from './descriptions.ts';

const faultsOf = (description: string) => findDescriptionFaults([{ id: 'getOne', description }]);

test('a description of one sentence, of six, or of half a sentence is reported', () => {
  expect(faultsOf('Returns one.')).toEqual(['getOne is described in 1 sentences, not 2 to 5']);
  expect(faultsOf('One. Two. Three. Four. Five. six is one too.')).toHaveLength(1);
  expect(faultsOf('Returns one. See the other')).toHaveLength(1);
});

test('a description of two to five sentences is not', () => {
  expect(faultsOf('Returns one. It is 1.5 or page.* or message.opened.')).toEqual([]);
  expect(faultsOf('One. Two. Three. Four. Five.')).toEqual([]);
});

test('a description that leaves out its noun is reported wherever it is', () => {
  const document = {
    a: [{ description: 'Of the contact' }],
    description: { description: 'A noun' },
  };
  expect(findOpenings(document)).toEqual([
    '“Of the contact” opens with “Of”; instead: the noun, or a verb',
  ]);
});
