// Statements that are not for one bucket by themselves, or that Citus does not count for one, and why each may be so.

export interface Why {
  /** Recognizes the text that Citus keeps: constants as parameters, white space as one blank. */
  statement: RegExp
  because: string
}

const oneBucket =
  'one bucket, planned by Citus in steps: a write that selects, several writes in one statement, lists within a row'
const older = 'one bucket and that of borrowers from before buckets, by the identifier of the integrator'
const claims = 'claims: what is due of all borrowers is looked for, and each of it is taken and settled by its bucket'
const together = 'reads of several borrowers that wait at the same moment share a round trip, each row by its bucket'
const lists = 'lists of the console: complaints of all borrowers'
const figures = 'figures: what happened is counted over all borrowers'
const ages = 'metrics and alerts: the oldest that waits, and endpoints that failed'
const queues = 'the look at all queues, once a second: when the next thing is due'
const ended = 'once an hour: what has expired, of all borrowers'
const suite = 'the suite itself: what each row says of its bucket, and the rows before and after a move'

export const several: Why[] = [
  { statement: /hashtextextended\(row\(/, because: suite },
  { statement: /^select distinct bucket, \w+::text as id from/, because: suite },
  {
    statement: /^select (?:tenant_id, journey_id from journey order by|purpose, channel from consent)/,
    because: suite,
  },
  {
    statement: /^select (?:active, status, closed_at from journey|status from lifecycle_event) where journey_id = /,
    because: suite,
  },
  { statement: /^insert into \w+(?: as \w+)? \(bucket, .*\) select (?:\$\d+::smallint|bucket,)/, because: oneBucket },
  { statement: /^with someone as \(/, because: oneBucket },
  { statement: /^select j\..* from journey j left join .* where j\.bucket = \$\d+ /, because: oneBucket },
  { statement: /^select j\..* from borrower b join journey j .* where b\.bucket = any\(/, because: older },
  { statement: /^select lookup\.place, /, because: together },
  {
    statement: / from webhook_delivery d where .* from webhook_delivery ahead where ahead\.bucket = d\.bucket/,
    because: claims,
  },
  {
    statement: /^(?:with recorded as \( )?update webhook_delivery d set .* as (?:seen|said) \(bucket, /,
    because: claims,
  },
  { statement: /^select .* from grievance where \$\d+::uuid is null or tenant_id = /, because: lists },
  { statement: /\bdate_bin\(/, because: figures },
  { statement: /^select min\(created_at\) as at from journey$/, because: figures },
  { statement: /^select min\(at\) as at from happening where state = \$1$/, because: ages },
  { statement: /^select distinct destination_id from webhook_delivery where due_at is not null/, because: ages },
  { statement: /^select \$1::text as queue, /, because: queues },
  { statement: /^delete from (?:embed_session|embed_token|headless_session) where \w+ < \$1$/, because: ended },
  { statement: /^select tenant_id, journey_id from journey where active and .* limit \$2$/, because: ended },
  { statement: /^select tenant_id, journey_id, profile_sealed from profile where not has_digests/, because: ended },
]
