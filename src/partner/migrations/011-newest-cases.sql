-- case: staff see what changed last without the whole book being sorted.
create index case_file_newest on case_file (updated_at desc, case_ref);
