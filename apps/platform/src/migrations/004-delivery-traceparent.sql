-- W3C Trace Context of the cause; null when no request caused the row, or when it has no trace.
alter table webhook_delivery add column traceparent text;
