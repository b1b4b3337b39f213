import { expect, test } from '@jest/globals';
import {
  findDescriptionFaults,
  findDialect,
  findOpenings,
  findSummaryFaults,
  textsOf,
  findMissingExamples,
  findRepeatedSummaries,
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

test('a description that repeats the summary is reported, with the sentences that many have', () => {
  const reported = (description: string, method = 'GET') =>
    findRepeatedSummaries([{ id: 'getOne', method, summary: 'Get an account', description }]);
  const fault = ['the description of getOne repeats its summary'];
  expect(reported('Returns one account. It has no side effects.')).toEqual(fault);
  expect(reported('Returns the accounts. A page holds 25 items unless page[size] asks.')).toEqual(
    fault,
  );
  expect(
    reported(
      'Returns one account. Its balance is in cents of its currency, and its status follows from two times.',
    ),
  ).toEqual([]);
  expect(reported('Returns one account. It has no side effects.', 'POST')).toEqual([]);
});

test('an answer with a body and without an example is reported, also behind a reference', () => {
  const documentOf = (media: object) => ({
    paths: {
      '/a': {
        get: {
          responses: {
            200: { $ref: '#/components/responses/one' },
            201: { content: { 'text/csv': media } },
            204: { description: 'Nothing' },
            404: { content: { 'application/json': {} } },
          },
        },
      },
    },
    components: { responses: { one: { content: { 'application/json': media } } } },
  });
  expect(findMissingExamples(documentOf({ schema: {} }))).toEqual([
    'get /a has no example of 200 application/json',
    'get /a has no example of 201 text/csv',
  ]);
  expect(findMissingExamples(documentOf({ example: '' }))).toEqual([]);
  expect(findMissingExamples(documentOf({ examples: { example: { value: 1 } } }))).toEqual([]);
});
