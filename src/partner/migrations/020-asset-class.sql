-- ledger: income of loans that are non-performing is kept in suspense, and provisions follow the classes of the book. The
-- kinds are named in ledger/entry.ts; here they only have to be names.
alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check check (kind ~ '^[A-Z][A-Z_]+$');

-- loan

-- How the loan is classified since the end of a business day (RBI, income recognition and asset classification), by the
-- borrower: all loans of one PAN have the class of the worst. A loan that was repaid is standard.
alter table loan add column asset_class text not null default 'STANDARD' check (asset_class in ('STANDARD', 'SMA_0', 'SMA_1',
  'SMA_2', 'SUB_STANDARD', 'DOUBTFUL_1', 'DOUBTFUL_2', 'DOUBTFUL_3', 'LOSS'));
-- The business day at whose end it became non-performing; null while it is not.
alter table loan add column npa_on date;
alter table loan add check ((npa_on is not null) = (asset_class in ('SUB_STANDARD', 'DOUBTFUL_1', 'DOUBTFUL_2', 'DOUBTFUL_3', 'LOSS')));
-- Principal that is outstanding: the sum of the rows, kept beside them for the provisions of a whole book.
alter table loan add column principal_paise bigint;
update loan set principal_paise = (select coalesce(sum(i.principal_paise - i.principal_paid_paise), 0) from installment i
  where i.case_ref = loan.case_ref);
alter table loan alter column principal_paise set not null;
create index loan_classified on loan (asset_class, case_ref) where asset_class <> 'STANDARD';

-- Every class that a loan has had but the first: from which day's end until which, and why.
create table loan_class (
  case_ref text not null,
  number integer not null,
  asset_class text not null,
  -- Of the borrower, on that day; 0 when nothing was overdue.
  days_past_due integer not null,
  reason text not null check (reason in ('ARREARS', 'OTHER_LOAN', 'AGE', 'ARREARS_PAID', 'DECISION')),
  from_on date not null,
  -- The day at whose end another class began; null for the one that holds.
  until_on date,
  -- Whose decision it was, and their words; null where the day's end classified it.
  decided_by text,
  remark text,
  primary key (case_ref, number),
  check ((reason = 'DECISION') = (decided_by is not null))
);
create unique index loan_class_current on loan_class (case_ref) where until_on is null;

-- What is provided for, in hundredths of a percent of the outstanding principal, from a business day on.
create table provision_rate (
  asset_class text not null,
  from_on date not null,
  bps integer not null check (bps between 0 and 10000),
  primary key (asset_class, from_on)
);
-- Master Direction for non-banking finance companies, scale based regulation: standard assets of the middle layer 0.40 %,
-- sub-standard 10 %, doubtful 100 % of what no security covers, loss 100 %. These loans have no security.
insert into provision_rate (asset_class, from_on, bps) values
  ('STANDARD', '2000-01-01', 40), ('SMA_0', '2000-01-01', 40), ('SMA_1', '2000-01-01', 40), ('SMA_2', '2000-01-01', 40),
  ('SUB_STANDARD', '2000-01-01', 1000), ('DOUBTFUL_1', '2000-01-01', 10000), ('DOUBTFUL_2', '2000-01-01', 10000),
  ('DOUBTFUL_3', '2000-01-01', 10000), ('LOSS', '2000-01-01', 10000);

-- What the end of a business day did: written last, in the transaction of its provisions.
create table business_day (
  ended_on date primary key,
  loans integer not null,
  entries integer not null,
  failed integer not null,
  -- Loans whose class it changed.
  classified integer not null,
  provision_paise bigint not null,
  provision_change_paise bigint not null,
  began_at timestamptz not null,
  ended_at timestamptz not null
);
create table business_day_class (
  ended_on date not null,
  asset_class text not null,
  loans integer not null,
  principal_paise bigint not null,
  provision_bps integer not null,
  provision_paise bigint not null,
  primary key (ended_on, asset_class)
);
