-- The program finds the rows with a plain digest without reading the others.
create index concurrently if not exists inbox_plain on inbox (sender) where body_sha256 is not null;
