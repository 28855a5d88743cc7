"""The one home of libclang: translation units parsed, and what the compiler knows of them."""
