-- W3C Trace Context of the cause; null when no request caused the row, or when it has no trace.

alter table job add column traceparent text;
alter table inbox add column traceparent text;
alter table outbox add column traceparent text;
