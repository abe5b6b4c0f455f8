-- What the bank data of a lead come to by the lender's rules, as they were when it came: shown beside the decision (D3 §2.3 banking).
create table case_bank_review (
  case_ref text primary key,
  decision text not null check (decision in ('APPROVE', 'LOWER', 'REVIEW', 'DECLINE')),
  -- The rule or the lack that decided; null where every rule was met.
  reason_code text,
  -- Figures, and each rule with its bound and its figure.
  review_sealed bytea not null,
  judged_at timestamptz not null,
  check ((decision = 'APPROVE') = (reason_code is null))
);
