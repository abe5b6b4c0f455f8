-- collection

-- A transfer of a loan to its borrower. Its id is the reference under which the bank knows it.
create table disbursement (
  case_ref text not null,
  disbursement_id uuid not null,
  -- ORDERED: not sent yet. UNKNOWN: sent, and nobody knows whether it arrived. SENT: the bank has it.
  status text not null check (status in ('ORDERED', 'UNKNOWN', 'SENT', 'DISBURSED', 'FAILED')),
  amount_paise bigint not null check (amount_paise > 0),
  -- Holder, number and IFSC of the account, and the borrower's PAN.
  payee_sealed bytea not null,
  bank_reference text check ((bank_reference is not null) = (status = 'DISBURSED')),
  reason_code text,
  sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (case_ref, disbursement_id)
);
-- A loan is paid out once: another transfer only after the one before has failed.
create unique index disbursement_once on disbursement (case_ref) where status <> 'FAILED';

-- Every debit, claim, receipt and reversal of a loan.
create table payment (
  case_ref text not null,
  payment_id uuid not null,
  status text not null check (status in ('PREPARED', 'DROPPED', 'UNKNOWN', 'SUBMITTED', 'PENDING_VERIFICATION', 'FAILED',
    'POSTED', 'TAKEN_BACK', 'REVERSED')),
  method text not null,
  amount_paise bigint not null check (amount_paise > 0),
  installment_ids text[] not null,
  -- One attempt at a debit, presented under this id and no other.
  collection_id uuid,
  umrn text,
  mandate_reference text,
  attempt_number integer,
  collection_on date,
  submitted_at timestamptz,
  provider_reference text,
  -- What a borrower says.
  claim_reference text,
  claimed_reference text,
  claimed_on date,
  -- What the bank says.
  receipt_id text,
  bank_reference text,
  value_on date,
  reason_code text,
  result_sequence integer not null default 0,
  reversal_of_payment_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (case_ref, payment_id),
  check (status <> 'FAILED' or reason_code is not null),
  check (status not in ('POSTED', 'TAKEN_BACK', 'REVERSED') or value_on is not null),
  check ((status = 'REVERSED') = (reversal_of_payment_id is not null))
);
create unique index payment_of_collection on payment (case_ref, collection_id)
  where collection_id is not null and reversal_of_payment_id is null;
create unique index payment_of_claim on payment (case_ref, claim_reference)
  where claim_reference is not null and reversal_of_payment_id is null;
create unique index payment_of_receipt on payment (case_ref, receipt_id)
  where receipt_id is not null and reversal_of_payment_id is null;
create unique index payment_reversed_once on payment (case_ref, reversal_of_payment_id)
  where reversal_of_payment_id is not null;
create index payment_by_collection on payment (collection_id) where collection_id is not null;
create index payment_under_way on payment (updated_at) where status in ('PREPARED', 'UNKNOWN', 'SUBMITTED');
create index payment_by_claimed on payment (claimed_reference) where claimed_reference is not null;

-- No debit under this mandate, or none at all, until a new mandate or a person takes this away.
create table collection_hold (
  case_ref text primary key,
  policy text not null check (policy in ('new-mandate', 'stop', 'review')),
  reason_code text not null,
  -- Null holds every mandate.
  umrn text,
  payment_id uuid not null,
  since_at timestamptz not null
);

-- On which business day a case was last looked at for a debit, and what came of it.
create table collection_day (
  case_ref text primary key,
  collection_on date not null,
  outcome text not null,
  looked_at timestamptz not null
);

-- Whose loan a payer means by a number in the remark.
create index loan_by_number on loan (loan_id);
create index loan_by_account_number on loan (loan_account_id);

-- The bank's results of debits, each once: keyed by the message, as an inbox is.
create table bank_result (
  provider text not null,
  result_id text not null,
  reference text not null,
  sequence integer not null,
  status text not null,
  return_code text,
  bank_reference text,
  value_on date not null,
  -- APPLIED, or why it changed nothing.
  outcome text not null check (outcome in ('APPLIED', 'SUPERSEDED', 'STRANGE')),
  received_at timestamptz not null,
  primary key (provider, result_id)
);
create index bank_result_of on bank_result (reference, sequence);

-- What came into the lender's account, each once: keyed by the message, as an inbox is.
create table bank_receipt (
  provider text not null,
  receipt_id text not null,
  method text not null,
  transaction_reference text not null,
  amount_paise bigint not null check (amount_paise > 0),
  value_on date not null,
  -- Payer and remark.
  words_sealed bytea not null,
  -- The payment it was posted as; null while nobody knows whose money it is.
  case_ref text,
  payment_id uuid,
  received_at timestamptz not null,
  posted_at timestamptz,
  primary key (provider, receipt_id),
  check ((payment_id is null) = (case_ref is null) and (payment_id is null) = (posted_at is null))
);
create index bank_receipt_by_reference on bank_receipt (transaction_reference);
create index bank_receipt_unposted on bank_receipt (received_at) where payment_id is null;

-- How far the bank's lists were read.
create table bank_place (
  provider text not null,
  list text not null check (list in ('debit-results', 'receipts')),
  place text not null,
  read_at timestamptz not null,
  primary key (provider, list)
);
