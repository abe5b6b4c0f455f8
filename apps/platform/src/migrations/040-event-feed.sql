-- The updates of an application in a fixed order, for a receiver without an address, which keeps its own place in them.

-- Of the endpoint that is an application's feed: when it last gave out updates. Null for all other endpoints.
alter table webhook_endpoint add column feed_at timestamptz;
-- The place of a delivery in its feed, with its journey and sequence: when the feed gave it out first, in the feed's own
-- time, which never stands still. A transaction that commits late has no place yet, and so none that was passed over.
alter table webhook_delivery add column given_at timestamptz;
