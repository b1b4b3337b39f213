import type { BatchOperation, BatchOperationCreate } from './generated/schemas.ts';
import type { Resources } from './generated/resources.ts';
import { callOperation, createNamespaces } from './namespaces.ts';
import { operations } from './operations.ts';
import { createTransport } from './transport.ts';
import type { Transport } from './transport.ts';
import type { ClientOptions, RequestOptions, UploadBody } from './types.ts';
import { createWaiting } from './waiting.ts';
import type { Waiting } from './waiting.ts';

export interface CallInput {
  path?: readonly string[];
  query?: object;
  body?: unknown;
}

// The namespaces come from a table, so that 300 operations weigh a few kilobytes.
/* oxlint-disable typescript/no-unsafe-declaration-merging */
/** A client of the service: a namespace for each resource, a method for each operation. */
export interface Onward extends Resources {
  /**
   * Waits until a batch, an execution, an export or an erasure has ended, and resolves with its last
   * state, also where that is `failed`.
   */
  waitFor: Waiting['waitFor'];
  /** Takes a verified webhook: calls of `waitFor` for its resource look at once. */
  notify: Waiting['notify'];
}

export class Onward {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = createTransport(options);
    Object.assign(this, createNamespaces(this.#transport));
    Object.assign(this, createWaiting(this));
  }

  /** Calls an operation by its id in the OpenAPI document. */
  call(operationId: string, input: CallInput = {}, options: RequestOptions = {}) {
    const operation = operations.find(({ id }) => id === operationId);
    if (!operation) throw new TypeError(`There is no operation ${operationId}.`);
    return callOperation(this.#transport, { operation, ...input, options });
  }

  /** Uploads a file of records, CSV or NDJSON, and starts a batch of it. */
  async runFile(
    file: UploadBody,
    batch: Omit<BatchOperationCreate, 'items' | 'upload_id'>,
    options: RequestOptions = {},
  ): Promise<BatchOperation> {
    const { idempotencyKey: key, signal } = options;
    // A key belongs to one request.
    const forFile = key === undefined ? {} : { idempotencyKey: `${key}-file` };
    const { id } = await this.uploads.create(file, { ...options, ...forFile });
    return this.batchOperations.create(
      { ...batch, upload_id: id },
      { ...(key !== undefined && { idempotencyKey: key }), ...(signal && { signal }) },
    );
  }
}
