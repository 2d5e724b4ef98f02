"""Problems of life and death to practise with, in the browser."""
