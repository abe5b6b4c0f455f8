-- The program finds the rows with a plain digest without reading the others.
create index concurrently if not exists document_request_plain on document_request (sender) where content_digest is not null;
