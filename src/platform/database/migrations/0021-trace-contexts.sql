-- The context of the request that caused an event or asks for a workflow, as the header traceparent of
-- W3C Trace Context carries it. Null unless the request is traced.
alter table webhook_events add column traceparent text;
alter table workflow_outbox add column traceparent text;
