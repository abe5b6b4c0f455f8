-- approval: a payout by a person needs a second one, whatever its amount; only an offer has a limit alone.
alter table approval_limit drop constraint approval_limit_check;
update approval_limit set alone_paise = 0 where act <> 'OFFER';
alter table approval_limit add constraint approval_limit_check check (alone_paise = 0 or act = 'OFFER');
