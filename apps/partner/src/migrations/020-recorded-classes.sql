-- The books of a closed day have the class that was recorded by that day.

alter table loan_class add column recorded_on date;
update loan_class c set recorded_on = greatest(from_on, (
  select max(earlier.corrected_on) from loan_class earlier
  where earlier.case_ref = c.case_ref and earlier.number < c.number
    and earlier.corrected_on is distinct from c.corrected_on));
