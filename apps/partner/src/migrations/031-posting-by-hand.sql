-- The posting of an unmatched receipt to a loan by hand: one person up to the limit of the role, otherwise two.

alter table approval_limit
  drop constraint approval_limit_act_check,
  add constraint approval_limit_act_check check (
    act in ('OFFER', 'PAYOUT', 'REFUND', 'WAIVER', 'WRITE_OFF', 'SETTLEMENT', 'LOSS', 'POSTING', 'REVERSAL', 'ACCOUNT',
      'CANCELLATION')),
  drop constraint approval_limit_check,
  -- Every act except an offer and the posting of a receipt needs a second person.
  add constraint approval_limit_check check (alone_paise = 0 or act in ('OFFER', 'POSTING'));
insert into approval_limit (role, act, alone_paise, approve_paise) values
  ('operations', 'POSTING', 1000000, 10000000),
  ('accounts', 'POSTING', 1000000, 50000000),
  ('admin', 'POSTING', 1000000, 1000000000);
