-- What applications may know of loans: the state of a case's loan, and the principal that is still owed.
create view loan_of_case as
select l.case_ref, l.status,
  coalesce((
    select sum(i.principal_paise - i.principal_paid_paise) from installment i where i.case_ref = l.case_ref), 0)::bigint
    as owed_principal_paise
from loan l;
