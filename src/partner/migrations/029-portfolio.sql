-- loan: how the book stood at the end of each month, kept by the end of its last day. What is asked over months is asked of
-- these rows; today's book is in loan and installment.

-- A loan with principal outstanding: its asset class, or WRITTEN_OFF.
create table loan_month (
  case_ref text not null,
  month_end date not null,
  state text not null,
  principal_paise bigint not null check (principal_paise > 0),
  primary key (case_ref, month_end)
);
create index loan_month_by_end on loan_month (month_end, case_ref);

-- From the class at one month's end to that at the next; NEW and CLOSED where a loan was not in one of them. Amounts are
-- principal at the first of the two, of a new loan at the second.
create table portfolio_roll (
  month_end date not null,
  from_state text not null,
  to_state text not null,
  loans integer not null,
  principal_paise bigint not null,
  primary key (month_end, from_state, to_state)
);

-- Of the loans of one month of disbursement: what was lent, and the principal of those more than 30 days past due, or worse.
create table portfolio_vintage (
  month_end date not null,
  -- Its first day.
  lent_month date not null,
  loans integer not null,
  lent_paise bigint not null,
  late_loans integer not null,
  late_paise bigint not null,
  primary key (month_end, lent_month)
);

-- What fell due in a month, and what had been paid of it by its end. Written last: a month with a row is complete.
create table portfolio_month (
  month_end date primary key,
  due_paise bigint not null,
  collected_paise bigint not null
);

create index installment_by_due on installment (due_on);
create index loan_by_disbursal on loan (disbursed_on);
