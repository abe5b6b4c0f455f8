// Closes the window of this page, if the browser allows it. The page also tells the borrower to close it.
setTimeout(() => window.close(), 1500)
