-- A lender against mutual funds may see to everything that follows the choice on one page of its own.

alter table offer add column own_page boolean not null default false;
