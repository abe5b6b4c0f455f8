-- A receipt whose money the bank took back by itself: it goes back to its payer without a transfer of ours.

alter table receipt_return drop constraint receipt_return_status_check;
alter table receipt_return add constraint receipt_return_status_check
  check (status in ('ORDERED', 'UNKNOWN', 'SENT', 'PAID', 'FAILED', 'TAKEN_BACK'));
-- Of the bank's debit, if it took the money back.
alter table receipt_return drop constraint receipt_return_check;
alter table receipt_return add constraint receipt_return_check
  check ((bank_reference is not null) = (status in ('PAID', 'TAKEN_BACK')));
-- Null if the bank took the money back, because nobody is paid.
alter table receipt_return alter column payee_sealed drop not null;
-- The value date of the bank's debit; null for transfers of ours.
alter table receipt_return add column taken_back_on date;
alter table receipt_return add constraint receipt_return_taken_back_check
  check ((taken_back_on is not null) = (status = 'TAKEN_BACK') and (payee_sealed is null) = (status = 'TAKEN_BACK'));

-- A proposal names either the payer's account, or the bank's debit.
alter table receipt_return_proposal alter column account_sealed drop not null;
alter table receipt_return_proposal add column taken_back_on date;
alter table receipt_return_proposal add column bank_reference text;
alter table receipt_return_proposal add constraint receipt_return_proposal_taken_back_check
  check ((taken_back_on is null) = (account_sealed is not null) and (bank_reference is null) = (account_sealed is not null));
