-- Two people record that a receipt, which names no transfer, is the return of a payout or refund.

alter table approval_limit
  drop constraint approval_limit_act_check,
  add constraint approval_limit_act_check check (
    act in ('OFFER', 'PAYOUT', 'REFUND', 'WAIVER', 'WRITE_OFF', 'SETTLEMENT', 'LOSS', 'POSTING', 'REVERSAL',
      'TRANSFER_RETURN', 'ACCOUNT', 'CANCELLATION'));
-- As for the payouts that they undo.
insert into approval_limit (role, act, alone_paise, approve_paise) values
  ('operations', 'TRANSFER_RETURN', 0, 100000000),
  ('accounts', 'TRANSFER_RETURN', 0, 100000000),
  ('admin', 'TRANSFER_RETURN', 0, 1000000000);
