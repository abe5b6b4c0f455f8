-- The oldest mail that waits to be handled is looked up every few seconds.
create index mail_in_waiting on mail_in (received_at) where state = 'RECEIVED';
