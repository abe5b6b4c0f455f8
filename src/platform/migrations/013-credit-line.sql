-- Against mutual funds there are loans and lines, and the borrower has to see which of them an offer is.
alter table offer add column credit_line boolean not null default false;
