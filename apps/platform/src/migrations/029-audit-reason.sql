-- Reasons of audited acts about a journey, a borrower, a complaint or a mail. The audit log has a salted digest of them, so
-- that it stays valid when the erasure of the subject deletes the reason.
create table audit_reason (
  tenant_id uuid not null,
  sequence integer not null,
  -- The subject of the audit entry.
  subject uuid not null,
  -- The reason, and the salt of its digest.
  reason_sealed bytea not null,
  primary key (tenant_id, sequence)
);
create index audit_reason_of on audit_reason (tenant_id, subject);

-- Paths of earlier requests contain the integrator's identifier of a borrower.
update api_request set path = route where route like '%{borrowerProviderID}%';
