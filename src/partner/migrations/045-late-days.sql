-- loan

-- Late money of a row's week, in paise × days, on which too little interest was given back by rounding, or too much below zero:
-- the next late money of the week is rounded with it.
alter table installment add column late_days bigint not null default 0;
