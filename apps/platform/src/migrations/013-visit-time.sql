-- When the borrower is to bring the gold to the branch; null if the lender has not sent a time.
alter table offer add column visit_at timestamptz;
