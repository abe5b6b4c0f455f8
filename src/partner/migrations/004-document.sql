-- document

-- The manifest: what a case's lead announced. Whether it has come is read off stored_document.
create table expected_document (
  case_ref text not null,
  document_reference_id text not null,
  document_type text not null,
  primary key (case_ref, document_reference_id)
);

-- A file that is whole, checked and on the disk. One for each reference, never replaced: a newer file has a reference of its own.
create table stored_document (
  case_ref text not null,
  document_reference_id text not null,
  document_id uuid not null,
  document_type text not null,
  request_id uuid not null,
  -- The client who sent it.
  uploader text not null,
  provider_reference_id text,
  -- People name files after people.
  file_name_sealed bytea not null,
  content_type text not null,
  size_bytes integer not null,
  -- Of the plain bytes, hexadecimal.
  sha256 text not null,
  -- Under which the file store keeps it.
  object_name text not null,
  stored_at timestamptz not null,
  primary key (case_ref, document_reference_id),
  unique (case_ref, document_id)
);

-- The upload request that brought a file, kept under its own id, as an inbox is keyed by its message: the same request again
-- is the same answer, and one with other content is refused, whatever case it names.
create table document_request (
  sender text not null,
  request_id uuid not null,
  case_ref text not null,
  document_reference_id text not null,
  -- Identifiers, document type and the bytes' digest.
  content_digest bytea not null,
  primary key (sender, request_id)
);
