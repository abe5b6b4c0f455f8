-- approval: that loans are a loss is two people's decision, up to an amount of principal.
alter table approval_limit drop constraint approval_limit_act_check;
alter table approval_limit add constraint approval_limit_act_check
  check (act in ('OFFER', 'PAYOUT', 'REFUND', 'WAIVER', 'WRITE_OFF', 'LOSS', 'REVERSAL', 'ACCOUNT'));
insert into approval_limit (role, act, alone_paise, approve_paise) values
  ('credit', 'LOSS', 0, 20000000),
  ('accounts', 'LOSS', 0, 20000000),
  ('admin', 'LOSS', 0, 1000000000);
