import { readDocument } from '../document.ts';
import { writeCollection } from './collection.ts';

const collectionFile = 'docs/collections/onward.postman_collection.json';

/** Text of the collection by its path. */
export function generateCollection(): Map<string, string> {
  return new Map([[collectionFile, writeCollection(readDocument())]]);
}
