-- The lenders that a journey does not ask, because they refused the borrower in the journey before it.
alter table journey add column refused_lenders text[] not null default '{}';
