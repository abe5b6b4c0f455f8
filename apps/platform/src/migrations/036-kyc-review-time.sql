-- The lender's time of its KYC review: of an event, or of a snapshot that has the review. The newer one counts.

alter table partner_check add column lender_reviewed_at timestamptz;
