// Tells the app that the borrower's page is done. The page does not depend on the answer.
fetch(document.currentScript.dataset.address, { cache: 'no-store' }).catch(() => {})
