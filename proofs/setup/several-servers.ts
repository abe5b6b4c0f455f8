// Statements that do not target a single bucket, or that Citus does not route to one, each with the reason why that is allowed.

export interface Why {
  /** Matches the text that Citus stores: constants as parameters, white space collapsed. */
  statement: RegExp
  because: string
}

const oneBucket =
  'one bucket, planned by Citus in steps: a write that selects, several writes in one statement, lists within a row'
const claims =
  'claims: what is due of all borrowers is looked for, and each of it is taken and settled by its bucket or case'
const together = 'reads of several borrowers that wait at the same moment share a round trip, each row by its bucket'
const lists = 'lists for people: complaints of all borrowers, loans with money to give back'
const figures = 'figures: what happened is counted over all borrowers'
const ages = 'metrics and alerts: the oldest that waits, and endpoints that failed'
const queues = 'the look at all queues, once a second: when the next thing is due'
const ended = 'once an hour: what has expired, of all borrowers'
const old = 'the archive and the end of time limits: cases that are old enough'
const keys =
  'the rotation of keys goes through whole tables, page by page; each value is read and moved on its own server'
const oneCase = 'one case, planned by Citus in steps: a write that selects, or a read that begins with what a case says'
const given = 'rows of several cases that are given: each is written or read on the server of its case'
const days = 'the ends of days and months: what is due of all loans, and what the book comes to'
const otherName =
  'asked of all servers by an index: a borrower by PAN or person, a claim by its transaction, a debit or a loan by its number'
const suite = 'the suite itself: what each row says of its bucket, and the rows before and after a move'

export const several: Why[] = [
  { statement: /hashtextextended\(row\(/, because: suite },
  { statement: /^select distinct bucket, \w+::text as id from/, because: suite },
  {
    statement:
      /^select (?:tenant_id, journey_id from journey order by|purpose, channel from consent|(?:language, )?channel, ip_sealed is not null as has_ip from consent)/,
    because: suite,
  },
  {
    statement:
      /^select (?:active(?:, status, closed_at)? from journey|status from lifecycle_event) where journey_id = /,
    because: suite,
  },
  {
    statement:
      /^select (?:case_ref, month_end, .* from loan_month|case_ref, snapshot_version from case_file) order by 1/,
    because: suite,
  },
  { statement: /^update loan set next_work_on = next_work_on [-+] \$\d+ where case_ref <> /, because: suite },
  { statement: /^delete from loan_month$/, because: suite },
  {
    statement: /^update grievance set (?:response|resolution)_due_at = \$\d+ where grievance_id = \$\d+$/,
    because: suite,
  },
  { statement: /^update journey set status = \$\d+ where journey_id = \$\d+$/, because: suite },
  {
    statement: /^(?:select installments from offer|update offer set installments = \$\d+::jsonb) where journey_id = /,
    because: suite,
  },
  {
    statement:
      /^(?:select serial_number from servicing|update servicing set serial_number = \$\d+) where journey_id = \$\d+ and kind = /,
    because: suite,
  },
  { statement: /^select entry_id from ledger_entry where kind = \$\d+ order by 1$/, because: suite },
  { statement: /^with booked as \( select case when p\.credit = .* from bank_receipt/, because: suite },
  { statement: /^update consent set language = \$\d+ where journey_id = \$\d+$/, because: suite },
  { statement: /^insert into \w+(?: as \w+)? \(bucket, .*\) select (?:\$\d+::smallint|bucket,)/, because: oneBucket },
  { statement: /^with someone as \(/, because: oneBucket },
  { statement: /^select j\..* from journey j left join .* where j\.bucket = \$\d+ /, because: oneBucket },
  { statement: /^select j\..* from borrower b join journey j .* where b\.bucket = \$\d+ /, because: oneBucket },
  { statement: /^select lookup\.position, /, because: together },
  {
    statement:
      /^select tenant_id, case_ref, journey_id, partner_id from partner_case where bucket = any\(.* and case_ref = any\(/,
    because: together,
  },
  {
    statement: / from webhook_delivery d where .* from webhook_delivery ahead where ahead\.bucket = d\.bucket/,
    because: claims,
  },
  {
    statement: /^(?:with recorded as \( )?update webhook_delivery d set .* as (?:claim|result) \(bucket, /,
    because: claims,
  },
  {
    statement: /^with touched as \( select p\.case_ref, .* from due d join loan l using \(case_ref\) where /,
    because: lists,
  },
  { statement: /^select .* from grievance where \$\d+::uuid is null or tenant_id = /, because: lists },
  { statement: /\bdate_bin\(/, because: figures },
  { statement: /^select min\(created_at\) as at from journey$/, because: figures },
  { statement: /^select min\(at\) as at from inbound_message where state = \$1$/, because: ages },
  { statement: /^select distinct destination_id from webhook_delivery where \(?due_at is not null/, because: ages },
  { statement: /^select \$1::text as queue, /, because: queues },
  {
    statement: /^delete from (?:embed_session|embed_token|headless_session|journey_link_code) where \w+ < \$1$/,
    because: ended,
  },
  { statement: /^select tenant_id, journey_id from journey where active and .* limit \$2$/, because: ended },
  {
    statement:
      /^select (?:b\.)?tenant_id, (?:journey_id, )?(?:b\.)?borrower_id(?:, \w+_at)? from (?:journey|borrower b) where .* limit \$\d$/,
    because: ended,
  },
  {
    statement:
      /^select [\w, ]+, substring\((\w+_sealed) from \$\d+ for \$\d+\) as head from \w+ where \1 is not null (?:and \([\w, ]+\) > \([$\d, ]+\) )?order by [\w, ]+ limit \$\d+$/,
    because: keys,
  },
  // Statements of the partner
  {
    statement: /^insert into borrower_lock \(pan_digest\) select .* from case_file where case_ref = \$/,
    because: oneCase,
  },
  { statement: /^insert into case_move \(.* from case_move where case_ref = \$\d+$/, because: oneCase },
  { statement: /^insert into case_search_key \(case_ref, .*\) select \$\d+, .* from unnest\(/, because: oneCase },
  {
    statement: /^insert into expected_document \(case_ref, .*\) select \$\d+::text, .* from unnest\(/,
    because: oneCase,
  },
  {
    statement: /^with settled as materialized \( select .* from inbox_outcome where .*\bcase_ref = \$\d+\) select/,
    because: oneCase,
  },
  { statement: /^insert into installment \(case_ref, .* from unnest\(/, because: given },
  { statement: /^with entry as \( insert into ledger_entry \(case_ref, .* from unnest\(/, because: given },
  {
    statement: /^select requested\.place.* from unnest\(.* join inbox_entity e using \(.*\) where \$\d+$/,
    because: given,
  },
  { statement: /^update case_file set snapshot_version = .* where case_ref = any\(\$\d+::text\[\]\)/, because: given },
  {
    statement:
      /^select l\.case_ref, l\.(?:loan_id|status), .* from loan l where (?:l\.)?case_ref = any\(\$\d+::text\[\]\) order by /,
    because: given,
  },
  {
    statement:
      /^select [li]\.case_ref, i\.number, .* where [li]\.case_ref = any\(\$\d+::text\[\]\) and .* order by [li]\.case_ref, i\.number$/,
    because: given,
  },
  {
    statement:
      /^select encode\(c\.pan_digest, \$\d+\) as borrower, .* where c\.case_ref = any\(\$\d+::text\[\]\) order by /,
    because: given,
  },
  {
    statement: /^update installment i set .* from unnest\(.* and i\.number = input\.number and \$\d+$/,
    because: given,
  },
  { statement: /^update loan l set .* from unnest\(.* where l\.case_ref = input\.case_ref and \$\d+$/, because: given },
  {
    statement: /^update loan_class set until_on = \$\d+ where case_ref = any\(\$\d+::text\[\]\) and until_on is null$/,
    because: given,
  },
  { statement: /^insert into loan_class \(case_ref, .* from unnest\(.* where case_ref = any\(/, because: given },
  { statement: /^update outbox d set due_at = .* from unnest\(.* and \$\d+ returning /, because: claims },
  { statement: /^with recorded as \( update outbox d set .* from unnest\(/, because: claims },
  {
    statement:
      /^\(?select (?:tenant_id|min\().* from outbox d where .* from outbox ahead where ahead\.tenant_id = d\.tenant_id/,
    because: claims,
  },
  { statement: /^select c\.case_ref from case_file c join case_offer o .* o\.recorded_at < \$/, because: claims },
  { statement: /^select case_ref from case_file where status = \$\d+ and updated_at < \$/, because: claims },
  { statement: /^select o\.case_ref from case_offer o join case_file c .* o\.valid_until < \$/, because: claims },
  {
    statement: /^select case_ref, payment_id, .* from payment where status in .* and updated_at < \$/,
    because: claims,
  },
  {
    statement: /^update approval_request set state = \$\d+, decided_at = expires_at where state = \$/,
    because: claims,
  },
  {
    statement: /^select case_ref from case_file where status = any\(\$\d+::text\[\]\) and case_ref > /,
    because: claims,
  },
  { statement: /^select l\.case_ref from loan l left join collection_day d .* l\.next_due_on <= \$/, because: days },
  { statement: /^select l\.case_ref from loan l join case_check c .* l\.next_due_on <= \$/, because: days },
  { statement: /^with later as \( select case_ref, .* from ledger_entry e join ledger_posting p /, because: days },
  {
    statement: /^select e\.case_ref, e\.entry_id, e\.kind, e\.posted_on, .* from ledger_entry e join ledger_posting p /,
    because: days,
  },
  { statement: /^insert into loan_class \(case_ref, .* from unnest\(/, because: oneCase },
  { statement: /^with paid as \( select e\.case_ref, .* where e\.case_ref = any\(/, because: given },
  { statement: /^select side\.account, .* from ledger_entry e join ledger_posting p /, because: days },
  { statement: /^select count\(\*\)::int as loans, .* from loan_month$/, because: days },
  {
    statement:
      /^select (?:k\.case_ref|l\.case_ref|count\(\*\)::int as count|f\.case_ref)\b.* from (?:archive_key|loan l|case_file f) .*< ?=? ?\$\d/,
    because: old,
  },
  { statement: /^select next_work_on, case_ref from loan where next_work_on <= \$/, because: days },
  { statement: /^with due as \( select p\.case_ref, .* update payment_promise p set state = /, because: days },
  { statement: /^select l\.asset_class, count\(\*\)::int as loans, /, because: days },
  { statement: /^with part as \( select case_ref.* insert into loan_month \(case_ref, .* from part$/, because: days },
  { statement: /^insert into portfolio_roll \(month_end, .* from loan_month where month_end = /, because: days },
  { statement: /^insert into portfolio_vintage \(month_end, .* from loan l left join loan_month m /, because: days },
  {
    statement: /^select coalesce\(sum\(.* from installment where due_on between \$\d+::date and \$\d+::date$/,
    because: days,
  },
  {
    statement: /^with due as materialized \( select case_ref, number, .* from installment where due_on between /,
    because: days,
  },
  { statement: /^select e\.month_end from \( select .* from loan\), .* from portfolio_month m /, because: days },
  { statement: /^with borrower as materialized \( select distinct c\.pan_digest from loan l /, because: days },
  {
    statement: /^select c\.case_ref, c\.sender, .* from case_file c .* where c\.pan_digest = \$\d+ or /,
    because: otherName,
  },
  {
    statement: /^with own as materialized \(select case_ref, pan_digest, .* where case_ref = \$\d+\)/,
    because: otherName,
  },
  {
    statement: /^select case_ref, payment_id, .* from payment where (?:claimed_reference|collection_id) = \$/,
    because: otherName,
  },
  {
    statement: /^with borrower as materialized \(select pan_digest from case_file where case_ref = \$\d+\) select /,
    because: otherName,
  },
  { statement: /^select case_ref from loan where loan_id = any\(.* or loan_account_id = any\(/, because: otherName },
]
