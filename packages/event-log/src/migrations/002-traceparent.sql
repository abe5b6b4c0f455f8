-- W3C Trace Context of the cause; null when no request caused the event, or when it has no trace.
alter table inbox add column traceparent text;
alter table outbox add column traceparent text;
