-- A fault scenario has the same name in the tables as everywhere else.
alter table conversation rename column twist to scenario;
alter table bank_transfer rename column twist to scenario;
alter table bank_debit rename column twist to scenario;
alter table verification rename column twist to scenario;
