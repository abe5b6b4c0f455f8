-- Since when the borrower was non-performing: a class that a returned payment restores keeps its date.

alter table loan_class add column npa_on date;
update loan_class k set npa_on = run.npa_on
from (
  select case_ref, number, min(from_on) over (partition by case_ref, performing_before) as npa_on
  from (
    select case_ref, number, from_on, asset_class,
      count(*) filter (where asset_class in ('STANDARD', 'SMA_0', 'SMA_1', 'SMA_2'))
        over (partition by case_ref order by from_on, number) as performing_before
    from loan_class where corrected_on is null
  ) as counted
  where asset_class not in ('STANDARD', 'SMA_0', 'SMA_1', 'SMA_2')
) as run
where k.case_ref = run.case_ref and k.number = run.number;
update loan_class k set npa_on = l.npa_on
from loan l where l.case_ref = k.case_ref and k.until_on is null and l.npa_on is not null;
