-- collection

-- How debits are asked for and borrowers contacted, from a business day on: the newest row that has begun holds.
create table collection_policy (
  from_on date primary key,
  -- Days between a debit that was returned and the next one for the same instalments.
  retry_days integer not null check (retry_days between 1 and 30),
  -- Debits for the same instalment, the first one included, before a person must decide.
  most_attempts integer not null check (most_attempts between 1 and 10),
  -- Days of the week on which debits are presented, Monday being 1.
  weekdays integer[] not null,
  -- Whether debits are presented on bank holidays: NACH clears them on every day since 1 August 2021.
  on_holidays boolean not null,
  -- Hours in India in which borrowers may be contacted about what they owe.
  contact_from_hour integer not null check (contact_from_hour between 0 and 23),
  contact_until_hour integer not null check (contact_until_hour between 1 and 24),
  -- Days before and after a due date on which a reminder is sent.
  remind_before integer[] not null,
  remind_after integer[] not null
);
insert into collection_policy (from_on, retry_days, most_attempts, weekdays, on_holidays, contact_from_hour,
  contact_until_hour, remind_before, remind_after)
values ('2000-01-01', 2, 3, '{1,2,3,4,5,6,7}', true, 8, 19, '{2}', '{1,7}');

-- Days on which banks are closed. The national holidays are here; those of a lender's own state are added by it.
create table bank_holiday (
  holiday_on date primary key,
  name text not null
);
insert into bank_holiday (holiday_on, name)
select make_date(year, month, day), name from generate_series(2026, 2035) as year,
  (values (1, 26, 'Republic Day'), (8, 15, 'Independence Day'), (10, 2, 'Mahatma Gandhi’s birthday')) as each (month, day, name);

-- A person holds debits without a debit that was returned.
alter table collection_hold alter column payment_id drop not null;
