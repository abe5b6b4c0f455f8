-- How many workers in a row took a job and neither finished it nor put it off: they died, or hung.
alter table job add column unanswered_claims integer not null default 0;
