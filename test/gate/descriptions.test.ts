import { expect, test } from '@jest/globals';
import {
  findDescriptionFaults,
  findDialect,
  findOpenings,
  findSummaryFaults,
  textsOf,
} from './descriptions.ts';

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

test('a summary that begins with no verb of the list is reported', () => {
  expect(findSummaryFaults([{ id: 'getOne', summary: 'Take one away' }])).toEqual([
    'the summary of getOne begins with “Take”, no verb of test/gate/descriptions.ts',
  ]);
  expect(findSummaryFaults([{ id: 'getOne', summary: 'Update, or delete one' }])).toEqual([]);
});

test('a public text in words of our own is reported with its place, and examples are not', () => {
  const document = { paths: { a: { summary: 'Delete a topic for good' }, example: {} } };
  document.paths.example = { description: 'A proof' };
  expect(findDialect(textsOf(document))).toEqual([
    '/paths/a: “for good” is no standard term: Delete a topic for good',
  ]);
});
