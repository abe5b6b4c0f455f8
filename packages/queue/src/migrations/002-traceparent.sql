-- W3C Trace Context of the cause; null when no request caused the job, or when it has no trace.
alter table job add column traceparent text;
