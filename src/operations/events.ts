import { Type } from 'typebox';
import { eventType, replacedEventType } from '../platform/events/event-type.ts';
import { BatchOperation } from './batch/batch-operation.ts';
import { Export } from './exports/export.ts';
import { OperationExecution } from './ipaas/executions/operation-execution.ts';
import { SftpCredential } from './sftp-credentials/sftp-credential.ts';
import { SftpUpload } from './sftp-uploads/sftp-upload.ts';

const renamed = {
  deprecated_at: '2026-11-25T00:00:00.000Z',
  sunset_at: '2027-11-25T00:00:00.000Z',
  reason:
    'Each terminal state has an event of its own. Subscribe to .succeeded, .partially_succeeded ' +
    'and .canceled instead of .completed.',
};

export const sftpCredentialsCreated = eventType(
  'sftp_credentials.created',
  'SFTP credentials were created.',
  SftpCredential,
);
export const sftpFileUploaded = eventType(
  'sftp.file_uploaded',
  'A file was uploaded completely and its import was queued.',
  SftpUpload,
);
export const sftpFileUploadFailed = eventType(
  'sftp.file_upload_failed',
  'An uploaded file was rejected, or its import failed as a whole; error says why.',
  SftpUpload,
);

export const sftpEvents = [sftpCredentialsCreated, sftpFileUploaded, sftpFileUploadFailed];

/** Filters may name persons, so that they are left out. */
const EndedExport = Type.Object(Type.Omit(Export, ['filters']).properties, {
  title: 'ended_export',
});

export const exportCompleted = eventType(
  'export.completed',
  'The file of an export is complete and can be downloaded.',
  EndedExport,
  { since: '2026-11-30' },
);
export const exportFailed = eventType(
  'export.failed',
  'An export failed, and no file is kept; error says why.',
  EndedExport,
  { since: '2026-11-30' },
);
export const exportCanceled = eventType(
  'export.canceled',
  'An export was deleted while it was made, or canceled by an operator; no file is kept.',
  EndedExport,
  { since: '2026-11-30' },
);

export const exportEvents = [exportCompleted, exportFailed, exportCanceled];

const batchOperationCompleted = replacedEventType(
  'batch_operation.completed',
  'A batch with notify_webhook has ended: succeeded, with errors, or canceled.',
  BatchOperation,
  'batch_operation.succeeded',
  renamed,
);
const batchOperationStarted = eventType(
  'batch_operation.started',
  'A batch with notify_webhook started: a worker reads or applies its items.',
  BatchOperation,
  { since: '2026-11-25' },
);
const batchOperationSucceeded = eventType(
  'batch_operation.succeeded',
  'A batch with notify_webhook has ended, and no item failed.',
  BatchOperation,
  { since: '2026-11-25', replaces: batchOperationCompleted },
);
const batchOperationPartiallySucceeded = eventType(
  'batch_operation.partially_succeeded',
  'A batch with notify_webhook has ended, and some of its items failed.',
  BatchOperation,
  { since: '2026-11-25', replaces: batchOperationCompleted },
);
const batchOperationFailed = eventType(
  'batch_operation.failed',
  'A batch with notify_webhook failed as a whole, or every item did.',
  BatchOperation,
);
const batchOperationCanceled = eventType(
  'batch_operation.canceled',
  'A batch with notify_webhook was canceled; items already applied stay applied.',
  BatchOperation,
  { since: '2026-11-25', replaces: batchOperationCompleted },
);
const operationExecutionCompleted = replacedEventType(
  'operation_execution.completed',
  'An execution has ended: succeeded, with errors, or canceled.',
  OperationExecution,
  'operation_execution.succeeded',
  renamed,
);
const operationExecutionStarted = eventType(
  'operation_execution.started',
  'An execution started: a worker applies its items.',
  OperationExecution,
  { since: '2026-11-25' },
);
const operationExecutionSucceeded = eventType(
  'operation_execution.succeeded',
  'An execution has ended, and no item failed.',
  OperationExecution,
  { since: '2026-11-25', replaces: operationExecutionCompleted },
);
const operationExecutionPartiallySucceeded = eventType(
  'operation_execution.partially_succeeded',
  'An execution has ended, and some of its items failed.',
  OperationExecution,
  { since: '2026-11-25', replaces: operationExecutionCompleted },
);
const operationExecutionFailed = eventType(
  'operation_execution.failed',
  'An execution failed as a whole, or every item did.',
  OperationExecution,
);
const operationExecutionCanceled = eventType(
  'operation_execution.canceled',
  'An execution was canceled; items already applied stay applied.',
  OperationExecution,
  { since: '2026-11-25', replaces: operationExecutionCompleted },
);

export const runEvents = [
  batchOperationStarted,
  batchOperationSucceeded,
  batchOperationPartiallySucceeded,
  batchOperationFailed,
  batchOperationCanceled,
  batchOperationCompleted,
  operationExecutionStarted,
  operationExecutionSucceeded,
  operationExecutionPartiallySucceeded,
  operationExecutionFailed,
  operationExecutionCanceled,
  operationExecutionCompleted,
];
