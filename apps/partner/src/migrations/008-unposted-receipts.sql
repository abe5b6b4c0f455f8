-- Books the receipts that are not posted to a loan: the bank owes them to the lender from the day of their arrival.

with unposted as (
  select r.provider, r.receipt_id, r.amount_paise, r.value_on, r.received_at
  from bank_receipt r left join payment p on p.case_ref = r.case_ref and p.payment_id = r.payment_id
  where r.payment_id is null or p.status = 'PENDING_VERIFICATION'),
entry as (
  insert into ledger_entry (case_ref, entry_id, kind, business_on, posted_at, posted_on)
  select 'receipts', 'arrived-' || provider || '-' || receipt_id, 'RECEIPT_ARRIVED', value_on, received_at,
    greatest(value_on, (select max(ended_on) + 1 from business_day),
      (received_at at time zone 'Asia/Kolkata')::date)
  from unposted)
insert into ledger_posting (case_ref, entry_id, line, debit, credit, installment, paise)
select 'receipts', 'arrived-' || provider || '-' || receipt_id, 1, 'BANK', 'UNPOSTED', 0, amount_paise from unposted;
