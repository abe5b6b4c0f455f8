-- The settings that a document shows, as they were at its issue; null for documents of earlier versions.

alter table tax_document add column supplier jsonb;
