-- Applications made since loans against mutual funds came were still given the two products before them.
update application set products = products || '{LAMF_LOAN}' where not 'LAMF_LOAN' = any (products);
