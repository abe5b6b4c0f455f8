-- Mail as the console lists it: the newest first, of all tenants, narrowed by its state or by what it is about.
create index mail_out_newest on mail_out (mail_id);
create index mail_out_of_kind on mail_out (kind, mail_id);
create index mail_out_waiting on mail_out (mail_id) where state = 'QUEUED';
