-- What of a credit line is drawn, and since when it is as it is.
alter table conversation add column drawn bigint, add column drawn_at timestamptz;
