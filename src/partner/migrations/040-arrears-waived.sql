-- loan

-- A loan that performs again although a part of its arrears was waived says so.
alter table loan_class drop constraint loan_class_reason_check;
alter table loan_class add constraint loan_class_reason_check
  check (reason in ('ARREARS', 'OTHER_LOAN', 'AGE', 'ARREARS_PAID', 'ARREARS_WAIVED', 'DECISION'));
