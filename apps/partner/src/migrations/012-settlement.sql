-- The settlement of a loan for less than it owes, which two people agree to.

alter table loan
  -- The agreed sum; null without an agreement. Money from the day of the agreement to the last day counts.
  add column settlement_paise bigint check (settlement_paise > 0),
  add column settlement_agreed_on date,
  add column settlement_until date,
  -- Receipts from before the agreement, which do not count.
  add column settlement_earlier_ids text[] not null default '{}',
  -- The day on which the agreed sum was paid and the rest given up. A returned payment undoes it.
  add column settled_on date,
  add check ((settlement_paise is null) = (settlement_agreed_on is null)),
  add check ((settlement_paise is null) = (settlement_until is null)),
  add check (settled_on is null or settlement_paise is not null);

alter table approval_limit
  drop constraint approval_limit_act_check,
  add constraint approval_limit_act_check check (
    act in ('OFFER', 'PAYOUT', 'REFUND', 'WAIVER', 'WRITE_OFF', 'SETTLEMENT', 'LOSS', 'REVERSAL', 'ACCOUNT', 'CANCELLATION'));
insert into approval_limit (role, act, alone_paise, approve_paise) values
  ('credit', 'SETTLEMENT', 0, 20000000),
  ('admin', 'SETTLEMENT', 0, 1000000000);
