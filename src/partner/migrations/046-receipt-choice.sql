-- ledger

-- What the borrower wanted with the money of a receipt: principal repaid at once, and the instalment or the term kept. Null with
-- other entries, and with receipts of earlier versions.
alter table ledger_entry add column is_part_payment boolean,
  add column keeps text check (keeps in ('INSTALLMENT', 'TERM'));
