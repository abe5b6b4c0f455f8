-- Why a statement was closed with differences; null if it was closed without.

alter table bank_statement add column closing_reason text check (closing_reason is null or closed_at is not null);
