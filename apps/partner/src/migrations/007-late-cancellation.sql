-- A second person approves the record of a cooling-off cancellation that the borrower requested more than a week before.

alter table approval_limit
  drop constraint approval_limit_act_check,
  add constraint approval_limit_act_check check (
    act in ('OFFER', 'PAYOUT', 'REFUND', 'WAIVER', 'WRITE_OFF', 'LOSS', 'REVERSAL', 'ACCOUNT', 'CANCELLATION'));
insert into approval_limit (role, act, alone_paise, approve_paise) values
  ('operations', 'CANCELLATION', 0, 2500000),
  ('accounts', 'CANCELLATION', 0, 10000000),
  ('admin', 'CANCELLATION', 0, 1000000000);
