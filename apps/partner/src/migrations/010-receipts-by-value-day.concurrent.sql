-- Receipts of a period by value date, to compare with the bank.
create index concurrently if not exists bank_receipt_by_value on bank_receipt (value_on);
