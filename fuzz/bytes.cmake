# c_bytes(FILE OUT): OUT is the bytes of FILE as they are written in a text of C++, eight a line.
function(c_bytes file out)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${hex}")
  string(REGEX REPLACE "((\\\\x..)(\\\\x..)(\\\\x..)(\\\\x..)(\\\\x..)(\\\\x..)(\\\\x..)(\\\\x..))" "\\1\"\n    \"" bytes "${bytes}")
  set(${out} "${bytes}" PARENT_SCOPE)
endfunction()
