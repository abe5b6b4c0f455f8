-- desk: lists page by page, each by the key that it is in order by.

-- collection
drop index bank_receipt_unposted;
create index bank_receipt_unposted on bank_receipt (received_at, provider, receipt_id) where payment_id is null;
drop index payment_claimed;
create index payment_claimed on payment (created_at, payment_id) where status = 'PENDING_VERIFICATION';
drop index payment_under_way;
create index payment_under_way on payment (updated_at, payment_id) where status in ('PREPARED', 'UNKNOWN', 'SUBMITTED');
create index collection_hold_oldest on collection_hold (since_at, case_ref);
drop index refund_unfinished;
create index refund_unfinished on refund (updated_at, refund_id) where status in ('ORDERED', 'UNKNOWN', 'SENT');
drop index bank_statement_newest;
create index bank_statement_newest on bank_statement (uploaded_at, statement_id);
-- The bounce calendar.
create index payment_presented on payment (collection_on, amount_paise, payment_id) where collection_id is not null;

-- loan
create index loan_in_arrears on loan (next_due_on, case_ref) where status = 'OVERDUE';

-- case
drop index case_file_newest;
create index case_file_newest on case_file (updated_at, case_ref);
drop index dedupe_review_open;
create index dedupe_review_open on dedupe_review (created_at, review_id) where decision is null;

-- approval
drop index approval_request_oldest;
create index approval_request_oldest on approval_request (made_at, request_id) where state = 'WAITING';

-- desk
drop index case_task_open;
create index case_task_open on case_task (assignee, due_on, task_id) where done_at is null;
